package cli

import (
	"context"
	"encoding/json"
	"fmt"

	"beckon/backend/agent/claude"
	"beckon/backend/beckon"
)

// SetModel has the agent go on with another model, and reports whether the running turn
// does so at once, which newer CLIs say by naming the model (2.1.332); of older ones it ends
// with the model that it began with. "" is the account's default. The CLI takes any name and
// fails at the next request with one that does not exist, so the caller checks.
func (p *Process) SetModel(ctx context.Context, model string) (atOnce bool, err error) {
	params := map[string]any{}
	if model != "" {
		params["model"] = model
	}
	raw, err := p.Control(ctx, "set_model", params)
	if err != nil || len(raw) == 0 {
		return false, err
	}
	var reply struct {
		Model string `json:"model"`
	}
	err = json.Unmarshal(raw, &reply)
	return reply.Model != "", err
}

// SetMode changes the permission mode. The CLI says that it did for modes
// that do not exist, so the caller checks; bypassPermissions it refuses
// unless it was started with it.
func (p *Process) SetMode(ctx context.Context, mode string) error {
	_, err := p.Control(ctx, "set_permission_mode", map[string]any{"mode": mode})
	return err
}

// SetEffort changes how hard the model thinks, from its next request on; "" is
// the model's default. It is the setting effortLevel ("effort" does nothing):
// set by apply_flag_settings it beats --effort, and null takes both away. The
// CLI drops a level that it does not know without a word and keeps the default,
// so what it then applies is asked for. A model without levels applies null
// whatever is set, and the level again once another model takes its place.
func (p *Process) SetEffort(ctx context.Context, level string) error {
	var wanted any
	if level != "" {
		wanted = level
	}
	settings := map[string]any{"effortLevel": wanted}
	if _, err := p.Control(ctx, "apply_flag_settings", map[string]any{"settings": settings}); err != nil || level == "" {
		return err
	}
	var reply struct {
		Applied struct {
			Effort string `json:"effort"`
		} `json:"applied"`
	}
	if err := p.query(ctx, &reply, "get_settings", nil); err != nil {
		return err
	}
	if reply.Applied.Effort != level {
		return fmt.Errorf("the model thinks with effort %q and not %q: %w", reply.Applied.Effort, level, beckon.ErrInvalid)
	}
	return nil
}

// ContextUsage asks what fills the context. The CLI counts tokens for it, by a
// dozen requests to the API.
func (p *Process) ContextUsage(ctx context.Context) (claude.ContextUsage, error) {
	var u claude.ContextUsage
	return u, p.query(ctx, &u, "get_context_usage", nil)
}

// ReconnectServer has the CLI connect an MCP server again.
func (p *Process) ReconnectServer(ctx context.Context, name string) error {
	_, err := p.Control(ctx, "mcp_reconnect", map[string]any{"serverName": name})
	return err
}

// RewindFiles takes the files that the agent's tools changed back to how the
// user's message of that uuid found them; what commands did is not undone.
// Anything that was done to those files since is lost. A dry run changes
// nothing. Of a message that is not known a dry run says so in its reply, the
// real one fails.
func (p *Process) RewindFiles(ctx context.Context, messageUUID string, dryRun bool) (claude.Rewound, error) {
	var r claude.Rewound
	params := map[string]any{"user_message_id": messageUUID, "dry_run": dryRun}
	return r, p.query(ctx, &r, "rewind_files", params)
}
