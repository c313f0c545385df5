/** A setting's value for people: passwords and keys inside an address are replaced by `***`. */
export function masked(text: string): string {
  return text.replace(/:\/\/([^/?#]*)@/g, '://***@').replace(/([?&][^=&]*(?:key|secret|token|password|signature)[^=&]*=)[^&]*/gi, '$1***')
}
