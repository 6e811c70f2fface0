/*
 * `report --site DIR`: a folder of pages of all finished games.
 */
#ifndef BOT_CLI_SITE_H
#define BOT_CLI_SITE_H

/*
 * Write the site of the configuration in `conf` (NULL: the one found) into a
 * folder, which is made if it is missing; in a language and a theme (NULL: each
 * page in that of its place).  Returns an exit code.
 *
 * A report that is there is left alone, for a finished game does not change,
 * unless it was written by another version, or with another language or theme.
 * Each page is replaced as a whole.
 */
int site_command(const char *folder, const char *conf, const char *language,
                 const char *theme);

#endif
