/**
 * A setting's value for people: passwords and keys inside an address are replaced by `***`. A password that nobody percent-encoded may
 * hold any character, so of a text that begins like an address nothing between its scheme and the last @ is shown.
 */
export function masked(text: string): string {
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/*).*@/is, '$1***@')
    .replace(/:\/\/([^/?#]*)@/g, '://***@')
    .replace(/([?&][^=&]*(?:key|secret|token|password|signature)[^=&]*=)[^&]*/gi, '$1***')
}
