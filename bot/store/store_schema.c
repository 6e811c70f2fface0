#include "bot/store/store_inner.h"

#define PLAIN(sql)                                                             \
    "replace(replace(replace(" sql ", '\"', ''), ' ', ''), char(10), '')"

/* A trigger or a view is never ours, nor an index that refuses rows.  Tables
 * that a host needs are not made anew, or all games would be taken for gone;
 * others may be new in this version.  What is there has to be as schema.sql
 * (?1) makes it. */
static const char wrong_schema[] = "WITH ours AS (SELECT *, " PLAIN(
    "sql") " || ';' AS plain,"
           " instr(made, CASE type WHEN 'table' THEN 'TABLE' || name || '('"
           " ELSE 'INDEX' || name || 'ON' END) AS named, made FROM sqlite_schema,"
           " (SELECT " PLAIN(
               "replace(?1, 'IF NOT EXISTS ', '')") " AS made))"
                                                    " SELECT 'the ' || type || ' \"' || name || '\" in it is not placard''s,"
                                                    " and may change what is saved' FROM ours"
                                                    " WHERE type IN ('trigger', 'view') OR plain LIKE 'CREATEUNIQUE%'"
                                                    " AND NOT named AND instr(made, 'TABLE' || tbl_name || '(') UNION ALL"
                                                    " SELECT 'its ' || type || ' \"' || name || '\" is not as placard makes it'"
                                                    " FROM ours WHERE named AND NOT instr(made, plain) UNION ALL"
                                                    " SELECT 'its table \"' || value || '\" is missing' FROM json_each('["
                                                    "\"game\", \"journal\", \"packed_journal\", \"post\", \"post_place\","
                                                    " \"deferred\", \"feed\", \"adapter_state\", \"dm\", \"message\"]')"
                                                    " WHERE value NOT IN (SELECT name FROM sqlite_schema)";

enum err
store_check_schema(struct db *db, const char *path, struct buf *why)
{
    struct buf wrong = BUF_INIT;
    (void)db_row(db, wrong_schema, "t>t", bot_store_schema_sql, &wrong);
    enum err err = db_err(db, why);
    if (err == ERR_NONE && wrong.len > 0) {
        err = err_say(why, ERR_GARBLED,
                      "%s: %s; restore the store from a backup, or take out a "
                      "trigger, a view or an index by sqlite3's DROP",
                      path, buf_text(&wrong));
    }
    buf_release(&wrong);
    return err;
}
