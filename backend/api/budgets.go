package api

import "beckon/backend/beckon/spending"

// SetBudget sets what a task or a project, by its id, or every day, by "", may take; a limit
// without money and tokens is none. today changes that of this day alone. What the one before
// stopped goes on.
func (a *API) SetBudget(scope spending.Scope, subject string, limit spending.Limit, today bool) (err error) {
	defer recovered(&err)
	return a.parts.Budgets.Set(a.ctx, scope, subject, limit, today)
}

// Totals returns what was taken today and on the days before, in all so many, by what is
// named; the most first, days from the newest on.
func (a *API) Totals(by spending.By, days int) (list []spending.Total, err error) {
	defer recovered(&err)
	return a.parts.Budgets.Totals(a.ctx, by, days)
}
