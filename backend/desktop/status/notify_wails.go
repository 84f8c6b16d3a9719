//go:build !linux

package status

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// onNote is Wails' word for a click on the note itself. A dismissal may come
// as the same, so nothing may be settled by it.
const onNote = "DEFAULT_ACTION"

// wails speaks to the system through the window.
type wails struct {
	window context.Context // Wails takes everything from it
	over   atomic.Bool
}

// newNotifier returns a notifier that tells heard what users do, which must not wait
// for anything. An error means that the system lets nobody notify from here:
// macOS wants a bundle, and the user's consent.
func newNotifier(window context.Context, heard func(NoteResponse)) (Notifier, error) {
	if err := runtime.InitializeNotifications(window); err != nil {
		return nil, fmt.Errorf("prepare notifications: %w", err)
	}
	allowed, err := runtime.RequestNotificationAuthorization(window)
	if err == nil && !allowed {
		err = errors.New("the system's settings do not let Beckon notify")
	}
	if err != nil {
		return nil, err
	}
	w := &wails{window: window}
	runtime.OnNotificationResponse(window, func(r runtime.NotificationResult) {
		if r.Error == nil && !w.over.Load() {
			heard(responseOf(r.Response))
		}
	})
	return w, nil
}

func responseOf(r runtime.NotificationResponse) NoteResponse {
	if r.UserText != "" || r.ActionIdentifier == onNote {
		return NoteResponse{ID: r.ID, Text: r.UserText}
	}
	return NoteResponse{ID: r.ID, Action: r.ActionIdentifier}
}

func (w *wails) Show(n Note) error {
	options := runtime.NotificationOptions{ID: n.ID, Title: n.Title, Body: n.Body, CategoryID: n.ID}
	if len(n.Actions) == 0 && n.Reply == "" {
		return runtime.SendNotification(w.window, options)
	}
	category := runtime.NotificationCategory{
		ID: n.ID, HasReplyField: n.Reply != "", ReplyPlaceholder: n.Reply, ReplyButtonTitle: n.Reply,
	}
	for _, a := range n.Actions {
		category.Actions = append(category.Actions, runtime.NotificationAction{ID: a.Key, Title: a.Label})
	}
	if err := runtime.RegisterNotificationCategory(w.window, category); err != nil {
		return fmt.Errorf("prepare a notification: %w", err)
	}
	return runtime.SendNotificationWithActions(w.window, options)
}

func (w *wails) Close(id string) {
	// Windows has no way to take a note back and says so by doing nothing.
	_ = runtime.RemoveDeliveredNotification(w.window, id)
	_ = runtime.RemoveNotificationCategory(w.window, id)
}

func (w *wails) Available() bool { return runtime.IsNotificationAvailable(w.window) }

func (w *wails) End() {
	w.over.Store(true)
	_ = runtime.RemoveAllDeliveredNotifications(w.window)
	runtime.CleanupNotifications(w.window)
}
