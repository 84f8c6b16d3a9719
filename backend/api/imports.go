package api

import (
	"beckon/backend/beckon"
	"beckon/backend/beckon/importing"
	"beckon/backend/beckon/starting"
)

// ImportPlaces tells what can be imported from here into a project, and asks no server.
func (a *API) ImportPlaces(projectID string) (p importing.Places, err error) {
	defer recovered(&err)
	return a.parts.Imports.Places(a.ctx, projectID), nil
}

// BringText takes a piece of a list that is to be imported: the next one of the text with the
// id, or the first where that is empty. It returns the id.
func (a *API) BringText(id, piece string) (textID string, err error) {
	defer recovered(&err)
	return a.parts.Imports.Bring(id, piece)
}

// FindImports reads what a source has, and marks what is on the board already.
func (a *API) FindImports(q importing.Query) (found importing.Found, err error) {
	defer recovered(&err)
	return a.parts.Imports.Find(a.ctx, q)
}

// Import makes cards of what was found, all or none.
func (a *API) Import(o importing.Order) (r beckon.ChangeResult, err error) {
	defer recovered(&err)
	return a.parts.Imports.Import(a.ctx, o)
}

// OpenPulls returns the newest open pull requests of a project's server.
func (a *API) OpenPulls(projectID string) (list []starting.Item, err error) {
	defer recovered(&err)
	return a.parts.Pulls.OpenPulls(a.ctx, projectID)
}
