package main

import "beckon/backend/api"

// App is what Wails binds: all that API exports. Its name and its package are those by
// which the page calls its methods.
type App struct{ *api.API }
