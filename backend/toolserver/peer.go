package toolserver

// This file says which processes are at the other end of a connection on
// this machine, where the system shows that. It knows nothing of what is said.
