/** Elements that are lines of code. */
const LINES = new Set(['div', 'p', 'li', 'tr', 'dd', 'dt', 'section'])

/** Copies an attribute, truncated to so many characters. */
export function keep(kept: Record<string, string>, attributes: Record<string, string>, name: string, size: number): void {
  const value = attributes[name]
  if (value !== undefined && value !== '') kept[name] = value.slice(0, size)
}

/** A button that expands a part of the page. */
export function isControl(attributes: Readonly<Record<string, string>>): boolean {
  return ['aria-expanded', 'aria-controls', 'data-toggle', 'data-bs-toggle'].some((name) => attributes[name] !== undefined)
}

/** Whether an element within code is displayed on separate lines. */
export function isLine(name: string, attributes: Readonly<Record<string, string>>): boolean {
  if (LINES.has(name)) return true
  return (
    name !== 'code' &&
    /(?:^|;)\s{0,20}display:\s{0,20}(?:block|flex|grid|list-item|table-row)/i.test((attributes['style'] ?? '').slice(0, 500))
  )
}

/** Escapes text for HTML. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Escapes text for a double-quoted attribute of HTML. */
export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;')
}
