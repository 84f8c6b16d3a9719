package system

// This file reports when the user's screen is locked, on Linux, from the
// desktop's own screen saver. Without one it reports nothing. It need not
// report that the machine slept: the question desk's clocks notice.
