// Package keeper is the main process of a batch system's job, `beckon shim keep RUN`, and
// the links to it, `beckon shim kept`, which the batch system starts beside it.
//
// The job begins without an agent: the first link brings it, so that no secret is in an
// argument, in the job's script or in a file. The agent's shim is the keeper's child, and
// outlives the links. The job ends with the agent, and when nobody brings one; the batch
// system's signals end the agent as a Beckon would.
package keeper
