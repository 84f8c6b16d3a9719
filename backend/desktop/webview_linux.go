//go:build linux && desktop && production

package desktop

/*
#cgo !webkit2_41 pkg-config: gtk+-3.0 webkit2gtk-4.0
#cgo webkit2_41 pkg-config: gtk+-3.0 webkit2gtk-4.1
#include <stdlib.h>
#include <gtk/gtk.h>
#include <webkit2/webkit2.h>

extern void goPageLeft(char *address);
extern char *goPageGone(char *last);

// The page's own address; everything else is elsewhere.
#define HOME "wails://wails/"

static void gone(WebKitWebView *view, WebKitWebProcessTerminationReason why, gpointer data) {
	const char *last = webkit_web_view_get_uri(view);
	char *next = goPageGone((char *)(last ? last : HOME));
	webkit_web_view_load_uri(view, next);
	free(next);
}

static gboolean decide(WebKitWebView *view, WebKitPolicyDecision *decision, WebKitPolicyDecisionType type, gpointer data) {
	if (type == WEBKIT_POLICY_DECISION_TYPE_RESPONSE) {
		return FALSE;
	}
	WebKitNavigationAction *action = webkit_navigation_policy_decision_get_navigation_action(WEBKIT_NAVIGATION_POLICY_DECISION(decision));
	const char *address = webkit_uri_request_get_uri(webkit_navigation_action_get_request(action));
	if (type == WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION && g_str_has_prefix(address, HOME)) {
		// An agent that needs the user is heard before any press in the page.
		WebKitWebsitePolicies *audible = webkit_website_policies_new_with_policies("autoplay", WEBKIT_AUTOPLAY_ALLOW, NULL);
		webkit_policy_decision_use_with_policies(decision, audible);
		g_object_unref(audible);
		return TRUE;
	}
	webkit_policy_decision_ignore(decision);
	if (webkit_navigation_action_is_user_gesture(action)) {
		goPageLeft((char *)address);
	}
	return TRUE;
}

// downloaded cancels what the page would store on its own: files are written by
// Beckon.
static void downloaded(WebKitWebContext *context, WebKitDownload *download, gpointer data) {
	webkit_download_cancel(download);
}

static void guard(GtkWidget *widget, gpointer data) {
	if (WEBKIT_IS_WEB_VIEW(widget)) {
		g_signal_connect(widget, "web-process-terminated", G_CALLBACK(gone), NULL);
		g_signal_connect(widget, "decide-policy", G_CALLBACK(decide), NULL);
		g_signal_connect(webkit_web_view_get_context(WEBKIT_WEB_VIEW(widget)), "download-started", G_CALLBACK(downloaded), NULL);
	} else if (GTK_IS_CONTAINER(widget)) {
		gtk_container_forall(GTK_CONTAINER(widget), guard, NULL);
	}
}

static void each(GtkCallback act, gpointer data) {
	GList *windows = gtk_window_list_toplevels();
	for (GList *i = windows; i; i = i->next) {
		act(GTK_WIDGET(i->data), data);
	}
	g_list_free(windows);
}

static gboolean guardAll(gpointer data) {
	each(guard, NULL);
	return G_SOURCE_REMOVE;
}

static void install(void) { g_idle_add(guardAll, NULL); }

typedef struct { int x, y; } spot;

// A window whose upper left corner no screen shows could not be moved back.
static gboolean seen(spot *at) {
	GdkDisplay *display = gdk_display_get_default();
	for (int i = 0; i < gdk_display_get_n_monitors(display); i++) {
		GdkRectangle area;
		gdk_monitor_get_workarea(gdk_display_get_monitor(display, i), &area);
		if (at->x >= area.x - 8 && at->x < area.x + area.width - 120 && at->y >= area.y - 8 && at->y < area.y + area.height - 60) {
			return TRUE;
		}
	}
	return FALSE;
}

static void move(GtkWidget *widget, gpointer at) {
	if (GTK_IS_WINDOW(widget) && gtk_window_get_window_type(GTK_WINDOW(widget)) == GTK_WINDOW_TOPLEVEL) {
		gtk_window_move(GTK_WINDOW(widget), ((spot *)at)->x, ((spot *)at)->y);
	}
}

static gboolean moveAll(gpointer at) {
	if (seen(at)) {
		each(move, at);
	}
	free(at);
	return G_SOURCE_REMOVE;
}

static void place(int x, int y) {
	spot *at = malloc(sizeof *at);
	at->x = x;
	at->y = y;
	// Wails centres the window when it is idle first; this comes after that.
	g_idle_add_full(G_PRIORITY_DEFAULT_IDLE + 10, moveAll, at, NULL);
}
*/
import "C"

import "sync/atomic"

// handlers is what C calls; there is one window.
var handlers atomic.Pointer[webviewHandlers]

// installWebview puts the handlers on the window's page. Call it once the window
// exists.
func installWebview(h webviewHandlers) {
	handlers.Store(&h)
	C.install()
}

// moveWebviewTo moves the window, if it would be seen there, and reports whether it
// could. A Wayland compositor places windows as it likes.
func moveWebviewTo(x, y int) bool {
	C.place(C.int(x), C.int(y))
	return true
}

//export goPageLeft
func goPageLeft(address *C.char) { handlers.Load().Left(C.GoString(address)) }

//export goPageGone
func goPageGone(last *C.char) *C.char { return C.CString(handlers.Load().Gone(C.GoString(last))) }
