/** `[Source 2]`, `[1, 3]`, `[Sources 1 and 2]`, `【4†x】`: forms of markers written by models. */
const MARKERS = /[[【(]\^?(?:sources?:? ?|quelle )?(\d{1,3}(?: ?(?:,|;|and|&) ?(?:source )?\d{1,3}){0,9})(?:†[^[\]【】]{0,40})?[\]】)]/gi
const OURS = /\[Source (\d{1,3})\]/g
const NUMBER = /\d{1,3}/g
const END = /[.!?…。！？]$/

/** The marker of a source. */
export function markerOf(id: number): string {
  return `[Source ${id}]`
}

/**
 * Normalises the markers of a text to `[Source n]`, and removes those of sources that do not exist. A number in round
 * brackets is a marker only with the word.
 */
export function withMarkers(text: string, exists: (id: number) => boolean): string {
  return text.replace(MARKERS, (whole, list: string) => {
    if (whole.startsWith('(') && !/source|quelle/i.test(whole)) return whole
    return [...new Set((list.match(NUMBER) ?? []).map(Number))]
      .filter(exists)
      .map((id) => markerOf(id))
      .join('')
  })
}

/** A sentence with a marker before its full stop. */
export function marked(sentence: string, id: number): string {
  const trimmed = sentence.trimEnd()
  return END.test(trimmed) ? `${trimmed.slice(0, -1).trimEnd()} ${markerOf(id)}${trimmed.slice(-1)}` : `${trimmed} ${markerOf(id)}`
}

/** The ids of the sources cited in a text. */
export function citedIn(text: string): Set<number> {
  return new Set(Array.from(text.matchAll(OURS), ([, id]) => Number(id)))
}
