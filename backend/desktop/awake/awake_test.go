package awake

import (
	"errors"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"beckon/backend/beckon"
	"beckon/backend/beckon/executing"
)

// machine is a computer whose power the test sets.
type machine struct {
	mu     sync.Mutex
	power  power
	refuse error
	held   int // inhibitors that are held
	asked  int
	slept  func(time.Duration)
}

func (m *machine) inhibit(string) (func(), error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.asked++; m.refuse != nil {
		return nil, m.refuse
	}
	m.held++
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.held--
	}, nil
}

func (m *machine) system() system {
	return system{func() bool { return true }, m.inhibit, func() power {
		m.mu.Lock()
		defer m.mu.Unlock()
		return m.power
	}, func(slept func(time.Duration)) (func(), error) {
		m.slept = slept
		return func() {}, nil
	}}
}

func (m *machine) set(p power) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.power = p
}

// kept is a keeper, what it follows, and the machine.
type kept struct {
	*machine
	t    *testing.T
	k    *Keeper
	sink func(beckon.Frame)
	end  func()
	said []beckon.Slept
}

func keep(t *testing.T, is beckon.Awake, m *machine) *kept {
	t.Helper()
	c := &kept{machine: m, t: t}
	c.k = with(Config{
		Attach: func(sink func(beckon.Frame)) func() { c.sink = sink; return func() {} },
		State: func() (beckon.Frame, error) {
			return beckon.Frame{Events: []beckon.Event{
				{Settings: &beckon.Settings{Awake: is}},
				{Executors: &executing.List{All: []executing.Status{
					{Executor: executing.Executor{ID: "box", Kind: executing.Container}},
					{Executor: executing.Executor{ID: "farm", Kind: executing.SSH}},
				}}},
			}}, nil
		},
		Publish: func(e beckon.Event) { c.said = append(c.said, *e.Slept) },
	}, m.system())
	end, err := c.k.Start("Agents are working")
	if err != nil {
		t.Fatal(err)
	}
	c.end = end
	return c
}

func (c *kept) run(id string, phase beckon.Phase, executor string) {
	c.sink(beckon.Frame{Events: []beckon.Event{{Run: &beckon.Run{ID: id, Kind: beckon.TaskRun, Phase: phase, Executor: executor}}}})
	synctest.Wait()
}

func (c *kept) want(what string, held int, state beckon.AwakeState) {
	c.t.Helper()
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held != held || c.k.Now() != state {
		c.t.Errorf("%s: %d are held and it is %s, want %d and %s", what, c.held, c.k.Now(), held, state)
	}
}

// TestAComputerStaysAwakeWhileAnAgentWorksOnIt and no longer: never for a question alone, nor
// for what works elsewhere.
func TestAComputerStaysAwakeWhileAnAgentWorksOnIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := keep(t, beckon.Awake{On: true, Battery: 30}, &machine{})
		c.want("nothing works", 0, beckon.AwakeIdle)
		c.run("a", beckon.Working, "farm")
		c.want("it works on another machine", 0, beckon.AwakeIdle)
		c.run("b", beckon.Working, "box")
		c.want("it works in a container", 1, beckon.AwakeKept)
		c.run("c", beckon.Starting, "")
		c.run("b", beckon.Ended, "box")
		c.want("another goes on", 1, beckon.AwakeKept)
		c.run("c", beckon.Asking, "")
		c.want("it asks", 0, beckon.AwakeIdle)
		c.run("c", beckon.Working, "")
		c.want("it is answered", 1, beckon.AwakeKept)
		c.sink(beckon.Frame{Lost: true})
		c.want("what was missed had its end in it", 0, beckon.AwakeIdle)
		c.run("d", beckon.Working, "")
		c.end()
		if c.held != 0 {
			t.Errorf("%d are held when Beckon is gone", c.held)
		}
	})
}

// TestNobodyIsKeptAwakeUnasked: it is off until the user wants it.
func TestNobodyIsKeptAwakeUnasked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := keep(t, beckon.DefaultSettings().Awake, &machine{})
		c.run("a", beckon.Working, "")
		c.want("it was not asked for", 0, beckon.AwakeIdle)
		c.sink(beckon.Frame{Events: []beckon.Event{{Settings: &beckon.Settings{Awake: beckon.Awake{On: true, Battery: 30}}}}})
		c.want("it is wanted", 1, beckon.AwakeKept)
		c.sink(beckon.Frame{Events: []beckon.Event{{Settings: &beckon.Settings{}}}})
		c.want("it is wanted no more", 0, beckon.AwakeIdle)
		c.end()
	})
}

// TestABatteryIsNotRunDown below the charge that the user set, and the mains bring it back.
func TestABatteryIsNotRunDown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := keep(t, beckon.Awake{On: true, Battery: 30}, &machine{power: power{true, 31}})
		c.run("a", beckon.Working, "")
		c.want("enough is left", 1, beckon.AwakeKept)
		c.set(power{true, 29})
		time.Sleep(lookAgain)
		c.want("too little is left", 0, beckon.AwakeBattery)
		c.set(power{false, 29})
		time.Sleep(lookAgain)
		c.want("it is charged", 1, beckon.AwakeKept)
		c.set(power{true, 100})
		c.sink(beckon.Frame{Events: []beckon.Event{{Settings: &beckon.Settings{Awake: beckon.Awake{On: true, Battery: 100}}}}})
		c.want("never on battery", 0, beckon.AwakeBattery)
		c.end()
	})
}

// TestAComputerThatRefusesIsAskedAgain, and the settings say that it may sleep.
func TestAComputerThatRefusesIsAskedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := &machine{refuse: errors.New("there is no logind")}
		c := keep(t, beckon.Awake{On: true}, m)
		c.run("a", beckon.Working, "")
		c.want("it refuses", 0, beckon.AwakeUnavailable)
		m.mu.Lock()
		m.refuse = nil
		m.mu.Unlock()
		time.Sleep(lookAgain)
		c.want("it does not any more", 1, beckon.AwakeKept)
		c.end()
	})
}

// TestASleepIsSaidWithWhomItMet: how long it was by the system's clocks, and nothing where it met
// nobody or was a moment.
func TestASleepIsSaidWithWhomItMet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := keep(t, beckon.Awake{}, &machine{})
		sleep := func(slept time.Duration, want int) {
			t.Helper()
			c.slept(slept)
			synctest.Wait()
			if len(c.said) != want {
				t.Errorf("after %s: %+v, want %d", slept, c.said, want)
			}
		}
		sleep(time.Hour, 0)
		c.run("a", beckon.Working, "")
		c.run("far", beckon.Working, "farm")
		c.sink(beckon.Frame{Events: []beckon.Event{
			{Question: &beckon.Question{ID: "q", Settlement: beckon.Open}}, {Question: &beckon.Question{ID: "p", Settlement: beckon.Answered}},
		}})
		sleep(shortest-time.Second, 0)
		sleep(5*time.Hour+52*time.Minute, 1)
		want := beckon.Slept{
			From: time.Now().Add(-5*time.Hour - 52*time.Minute).UnixMilli(), To: time.Now().UnixMilli(),
			Runs: []string{"a"}, Questions: []string{"q"},
		}
		if !reflect.DeepEqual(c.said[0], want) {
			t.Errorf("%+v, want %+v", c.said[0], want)
		}
		if events, err := c.k.State(t.Context()); err != nil || len(events) != 1 || !reflect.DeepEqual(*events[0].Slept, want) {
			t.Errorf("a page that comes later gets %+v, %v", events, err)
		}
		c.end()
	})
}
