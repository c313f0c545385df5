/**
 * A setting's value for display: passwords and keys in an address are replaced by `***`. A password that is not
 * percent-encoded may contain any character, so everything between the scheme and the last @ is hidden.
 */
export function masked(text: string): string {
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/*).*@/is, '$1***@')
    .replace(/:\/\/([^/?#]*)@/g, '://***@')
    .replace(/([?&][^=&]*(?:key|secret|token|password|signature)[^=&]*=)[^&]*/gi, '$1***')
}
