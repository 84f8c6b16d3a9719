class Rewinds {
  #open = $state.raw<{ taskId: string; messageId: string }>();

  /** Asks whether the files are to go back to how a message found them; messageId is its entry's id. */
  open(taskId: string, messageId: string): void {
    this.#open = { taskId, messageId };
  }

  /** The message that is asked about; "" where none of the task's is. */
  of(taskId: string): string {
    return this.#open?.taskId === taskId ? this.#open.messageId : '';
  }

  close(): void {
    this.#open = undefined;
  }
}

/** The page's question about a rewind; the task's composer shows it. */
export const rewinds = new Rewinds();
