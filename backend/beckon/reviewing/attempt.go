package reviewing

// Attempt says that a task is one of two that began from the same checkpoint with different
// answers.
type Attempt struct {
	Number     int    `json:"number"` // 1: the task that asked; 2: the task that was made for the other answer
	With       string `json:"with"`   // the id of the other task, which may be deleted
	QuestionID string `json:"questionId"`
	Asked      string `json:"asked"`
	Answer     string `json:"answer"` // the label that this attempt was given
	At         int64  `json:"at"`     // when both were begun, Unix milliseconds
}
