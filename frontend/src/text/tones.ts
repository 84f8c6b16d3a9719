/** The number of the tone of a label's mark, 0 for none: the same for the same label, on every screen. */
export function toneOf(label: string): number {
  let sum = 0;
  for (const letter of label) sum = (sum * 31 + letter.codePointAt(0)!) % 9973;
  return sum % 5;
}
