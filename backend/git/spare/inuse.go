package spare

// This file finds a process that works in a folder, such as a shell in a
// terminal, so that the folder is not removed below it. On Linux it looks at all
// processes that this user may look at; Windows itself refuses to remove a folder
// that is in use; elsewhere nothing is found.
