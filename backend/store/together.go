package store

import (
	"context"
	"errors"
	"sync"
)

// togetherKey is of contexts whose changes are committed with others that wait.
type togetherKey struct{}

// EachTogether calls do with 0 to n-1, several at a time and each of them whatever becomes of the
// others, and returns their errors. The changes that do makes with its context share commits: so
// none may depend on when another is published.
func EachTogether(ctx context.Context, n, atOnce int, do func(ctx context.Context, i int) error) error {
	ctx = context.WithValue(ctx, togetherKey{}, true)
	slots, errs := make(chan struct{}, atOnce), make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		all.Go(func() {
			errs[i] = do(ctx, i)
			<-slots
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
