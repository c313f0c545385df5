/** React's comments around content that was not ready when the page was sent, and around finished content. */
const WAITING = /^\$[?~]/
const BOUNDARY = /^\$[?~!]?$/
/** Names of placeholders in React's pages, and of the parts that replace them later. */
const PLACE = /^[\w-]{0,40}[BP]:[0-9a-f]{1,8}$/i
const CONTENT = /^[\w-]{0,40}S:[0-9a-f]{1,8}$/i
/** Scripts that move a part to its placeholder: `$RC("B:0","S:0")`. */
const MOVES =
  /["']([\w-]{0,40}[BP]:[0-9a-f]{1,8})["'] ?, ?["']([\w-]{0,40}S:[0-9a-f]{1,8})["']|["']([\w-]{0,40}S:[0-9a-f]{1,8})["'] ?, ?["']([\w-]{0,40}P:[0-9a-f]{1,8})["']/gi
/** Solid's prefix of the placeholder for a template. */
const SOLID = 'pl-'
/** Maximum nesting of moved parts; deeper ones stay in place. */
const DEPTH = 50

/** A range of pieces of markup. */
interface Range {
  readonly from: number
  to: number
}

/**
 * Parts that servers append to a page, hidden, for scripts to move to their placeholders (React, Solid). Pieces of
 * markup are identified by index.
 */
export class Streams {
  readonly #places = new Map<string, Range>()
  readonly #contents = new Map<string, Range>()
  /** Names of contents by placeholder. */
  readonly #moves = new Map<string, string>()
  /** Open boundaries of React; the names of the placeholders in pending ones. */
  readonly #boundaries: { place: string | null; readonly waits: boolean }[] = []

  /** A comment before the piece with this index. */
  comment(text: string, at: number): void {
    const boundary = this.#boundaries.at(-1)
    if (BOUNDARY.test(text)) this.#boundaries.push({ place: null, waits: WAITING.test(text) })
    else if (text === '/$' && boundary !== undefined) {
      this.#boundaries.pop()
      if (boundary.place !== null) this.#end(boundary.place, at)
    } else if (text.startsWith(SOLID)) this.#end(text, at)
  }

  /**
   * An element with this name and id before the piece with this index; true when it is a placeholder or its content.
   */
  open(name: string, id: string, hidden: boolean, at: number): 'place' | 'content' | null {
    if (name === 'template' && (PLACE.test(id) || id.startsWith(SOLID))) {
      this.#places.set(id, { from: at, to: at })
      const boundary = this.#boundaries.at(-1)
      if (boundary?.waits === true && boundary.place === null) boundary.place = id
      return 'place'
    }
    if ((hidden && CONTENT.test(id)) || (name === 'template' && this.#places.has(SOLID + id))) return 'content'
    return null
  }

  content(id: string, range: Range): void {
    this.#contents.set(id, range)
  }

  script(text: string): void {
    for (const [, place, content, other, segment] of text.matchAll(MOVES)) {
      if (place !== undefined && content !== undefined) this.#moves.set(place, content)
      if (other !== undefined && segment !== undefined) this.#moves.set(segment, other)
    }
  }

  /** The pieces with each content in place of its placeholder. */
  joined(pieces: readonly string[]): string {
    if (this.#contents.size === 0) return pieces.join('')
    const filled = new Map<number, { readonly content: Range; readonly place: Range }>()
    const moved = new Map<number, Range>()
    for (const [name, place] of this.#places) {
      const content = this.#contents.get(this.#moves.get(name) ?? contentOf(name))
      if (content === undefined || moved.has(content.from) || (content.from < place.from && place.from < content.to)) continue
      filled.set(place.from, { content, place })
      moved.set(content.from, content)
    }
    const out: string[] = []
    const rest = new Set(moved.values())
    const write = (range: Range, own: Range | null, depth: number): void => {
      for (let at = range.from; at < range.to;) {
        const here = filled.get(at)
        const elsewhere = moved.get(at)
        if (here !== undefined && depth < DEPTH && rest.delete(here.content)) {
          write(here.content, here.content, depth + 1)
          at = Math.max(at, here.place.to)
        } else if (elsewhere !== undefined && elsewhere !== own) at = elsewhere.to
        else {
          out.push(pieces[at] ?? '')
          at += 1
        }
      }
    }
    write({ from: 0, to: pieces.length }, null, 0)
    // Contents whose placeholder is too deep, or was itself replaced.
    for (const content of rest) if (rest.delete(content)) write(content, content, 0)
    return out.join('')
  }

  #end(place: string, at: number): void {
    const range = this.#places.get(place)
    if (range !== undefined) range.to = at
  }
}

/** The name of the content for a placeholder without a script. */
function contentOf(place: string): string {
  return place.startsWith(SOLID) ? place.slice(SOLID.length) : place.replace(/[BP](?=:[0-9a-f]{1,8}$)/i, 'S')
}
