const LINE = /^[-*+\s]{0,10}(?:\*\*|__)?(\p{L}[\p{L}\p{N} ./()-]{1,40}?)\s?(?:\*\*|__)?\s?:\s{0,5}(?:\*\*|__)?\s{0,5}(\S.{0,300})$/u
const MOST = 2_000

/** Lines such as `Invoice number: R-17` as one record; the first of a name counts. */
export function labelLines(text: string): Record<string, unknown> {
  const found = new Map<string, string>()
  for (const line of text.split('\n')) {
    if (found.size >= MOST) break
    if (line.length > 400 || !line.includes(':')) continue
    const [, name = '', value = ''] = LINE.exec(line.trim()) ?? []
    if (name !== '' && !found.has(name) && !value.startsWith('//')) found.set(name, value.replace(/\*\*|__|\\(?=\W)/g, '').trim())
  }
  return Object.fromEntries(found)
}
