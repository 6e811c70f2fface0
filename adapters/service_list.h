/*
 * Every service, a row each, in the order in which `placard setup` offers them.
 * SERVICE(name) stands for adapter_<name>, the table of its operations, and
 * service_<name>, its description, in the folder of that name.
 */
SERVICE(discord)
SERVICE(matrix)
SERVICE(discourse)
SERVICE(nodebb)
SERVICE(phpbb)
SERVICE(board)
