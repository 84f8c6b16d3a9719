package desktop

import "os"

const (
	// sharedBuffers is WebKit's variable: set to anything but "0" it draws without buffers
	// that it shares with the graphics driver.
	sharedBuffers = "WEBKIT_DISABLE_DMABUF_RENDERER"
	// nvidia is there where NVIDIA's own driver is at work.
	nvidia = "/proc/driver/nvidia/version"
)

// avoidBlankWindow has WebKit do without shared buffers where a driver is at work that often
// leaves the window blank with them. Who sets the variable decides.
func avoidBlankWindow(driver string) {
	if _, set := os.LookupEnv(sharedBuffers); set {
		return
	}
	if _, err := os.Stat(driver); err == nil {
		_ = os.Setenv(sharedBuffers, "1") // fails for names that cannot be, which this is not
	}
}
