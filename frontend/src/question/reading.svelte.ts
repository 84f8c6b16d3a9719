/** The question that is read whole in a sheet over the page, if one is. */
class Reading {
  id = $state('');

  open(questionId: string): void {
    this.id = questionId;
  }

  close(): void {
    this.id = '';
  }
}

/** The page's one. */
export const reading = new Reading();
