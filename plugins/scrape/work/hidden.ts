import { labelOf, lookOf } from './elements.js'

type Attributes = Readonly<Record<string, string>>

/** How an element hides its content: `panel`, a part that a reader can open, or `hidden`. */
export type Hiding = 'panel' | 'hidden' | null

/** Characters outside links from which a hidden part is text. */
const TEXT = 40
/** Class and id words of parts that a reader can open. */
const PANEL = /(?:^|[\s_-])(?:accordions?|collaps(?:e|ed|ible)|tab-?(?:panel|pane|content)|tabpanel|panel|faq|answer|spoiler|expand(?:able)?|toggle-content)(?:[\s_-]|$)/i // prettier-ignore
/** Placeholders of templates that a script fills. */
const UNFILLED = /\{\{|\$\{|<%/

/** Labels of the controls that open parts of a page, and the ids of those parts. */
export class Controls {
  readonly #labels = new Map<string, string>()
  readonly #controlled = new Set<string>()
  /** The label of a control directly before the current position. */
  #last: string | null = null
  #open: { readonly ids: readonly string[]; readonly text: string[] } | null = null

  /** Reads an element that may be a control. `dropped`: its text is not written, so it may be needed as a label. */
  open(name: string, attributes: Attributes, dropped: boolean): void {
    const toggles = attributes['data-toggle'] ?? attributes['data-bs-toggle'] ?? attributes['aria-expanded']
    const target = attributes['data-target'] ?? attributes['data-bs-target'] ?? attributes['href'] ?? ''
    const named = (attributes['aria-controls'] ?? '').slice(0, 1000).split(/\s+/)
    const ids = [...named, target.startsWith('#') && (toggles !== undefined || attributes['role'] === 'tab') ? target.slice(1) : '']
    const known = ids.filter((id) => id !== '')
    for (const id of known) this.#controlled.add(id)
    if (!dropped || name !== 'button' || (known.length === 0 && toggles === undefined && attributes['role'] !== 'tab')) return
    this.#open = { ids: [...known, attributes['id'] ?? ''], text: [] }
  }

  /** Reads text that is not written. */
  text(text: string): void {
    this.#open?.text.push(text)
  }

  close(name: string): void {
    if (this.#open === null || name !== 'button') return
    const label = this.#open.text.join('').replace(/\s+/g, ' ').trim().slice(0, 300)
    for (const id of this.#open.ids) if (id !== '' && label !== '') this.#labels.set(id, label)
    this.#last = label === '' ? null : label
    this.#open = null
  }

  /** Text or a part was written: the next element does not directly follow a control. */
  moveOn(): void {
    this.#last = null
  }

  /** Whether a control opens the element, by its id or directly before it. */
  isOf(attributes: Attributes): boolean {
    return this.#last !== null || this.#controlled.has(attributes['id'] ?? '')
  }

  /** The label of the control that opens the element, if it is not written. */
  labelFor(attributes: Attributes): string | null {
    return this.#labels.get(attributes['id'] ?? '') ?? this.#labels.get(attributes['aria-labelledby'] ?? '') ?? this.#last
  }
}

/** How an element hides its content, by its name, attributes and the controls before it. */
export function hidingOf(name: string, attributes: Attributes, controls: Controls): Hiding {
  if (name === 'dialog' || name === 'template') return 'hidden'
  if (!isHidden(attributes)) return null
  const label = labelOf((key) => attributes[key])
  const panel =
    attributes['hidden'] === 'until-found' || attributes['role'] === 'tabpanel' || controls.isOf(attributes) || PANEL.test(label)
  return panel ? 'panel' : 'hidden'
}

/** Whether a complete hidden part is text of the page, or irrelevant to readers. */
export function isText(
  name: string,
  attributes: Attributes,
  amount: { readonly text: number; readonly links: number },
  least = TEXT,
): boolean {
  const look = lookOf(name, (key) => attributes[key], { content: true, quoted: false })
  return look === null && amount.text - amount.links >= least && amount.links * 2 <= amount.text
}

/** The markup of a part is an unfilled template. */
export function isUnfilled(markup: readonly string[]): boolean {
  return markup.some((piece) => UNFILLED.test(piece))
}

function isHidden(attributes: Attributes): boolean {
  if (attributes['hidden'] !== undefined || attributes['aria-hidden'] === 'true') return true
  return /(?:display:\s*none|visibility:\s*hidden)/i.test((attributes['style'] ?? '').slice(0, 500))
}
