/** Whether the time of the session on the page is shown whole; its keys act only then. */
export const timed = $state({ shown: false });
