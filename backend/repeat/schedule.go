package repeat

import (
	"strings"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/problem"

	"github.com/adhocore/gronx"
)

// next returns when a schedule's next time after a moment is, in that moment's zone; zero
// where there is none any more.
func next(schedule string, after time.Time) (time.Time, error) {
	if schedule == "" {
		return time.Time{}, nil
	}
	if err := checkSchedule(schedule); err != nil {
		return time.Time{}, err
	}
	at, err := gronx.NextTickAfter(schedule, after, false)
	if err != nil {
		return time.Time{}, badSchedule(schedule)
	}
	return at, nil
}

// checkSchedule refuses what is no line of cron with five fields. The library takes seconds
// and years, too, and names of tags: a card a second is no use to anyone.
func checkSchedule(schedule string) error {
	if len(schedule) > beckon.MaxSchedule || len(strings.Fields(schedule)) != 5 || !gronx.IsValid(schedule) {
		return badSchedule(schedule)
	}
	return nil
}

func badSchedule(schedule string) error {
	err := beckon.Invalid("%.80q is no line of cron with five fields", schedule)
	return problem.New(problem.Schedule, err, "schedule", schedule, "example", "0 7 * * 1-5")
}
