/** Whether key may name a project: 2 to 5 capitals or digits, a letter first. */
export function validKey(key: string): boolean {
  return /^[A-Z][A-Z0-9]{1,4}$/.test(key);
}
