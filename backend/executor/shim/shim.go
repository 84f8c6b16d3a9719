// Package shim keeps an agent's stdin and stdout where the agent is, so that the
// link to it may break and come back: `beckon shim` at the other end of an argv
// prefix such as ssh's.
//
// Lines are numbered in both directions, and each arrives once and in order,
// whatever the link does. What is printed while nobody is there is spooled up to a
// bound, and then the agent waits; nothing is dropped. Everything below the agent
// ends with it, with the shim, and when nobody came back within the lease. It
// opens no port, and knows nothing of what the lines say.
package shim
