package main

import "time"

var began = time.Now()

// used returns the time since the start: Windows adds up no children's processor time.
func used() time.Duration { return time.Since(began) }
