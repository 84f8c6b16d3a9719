/** What is pasted into a terminal: text, lines and tabs, without characters that are keys. */
export function plainPaste(text: string): string {
  return text.replace(/(?![\t\r\n])\p{Cc}/gu, '');
}
