/** The position of a JSON syntax error, and its correction. */
export interface JsonFault {
  /** Index of the first character that does not fit; the length of the text when it ends too early. */
  readonly at: number
  readonly says: string
}

const BLANKS = /[ \t\n\r]*/y
/** Unescaped characters of a string (RFC 8259, 7). */
const PLAIN = /[ !#-[\]-\uffff]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y
const EARLY = 'it ends too early: a quote, bracket or brace is not closed'
const QUOTES = 'names and strings need double quotes (")'

/** The expected token: a value, a field name, its colon, or what follows a value. */
type WantedNext = 'value' | 'name' | 'colon' | 'more'

/** Finds the syntax error of a text that `JSON.parse` refuses, in one pass without recursion; null without one. */
export function jsonFault(text: string): JsonFault | null {
  return new JsonScan(text).run()
}

/** The suffix of `The body is not valid JSON` with the position; lines and characters count from 1. */
export function placed(text: string, { at, says }: JsonFault): string {
  if (at >= text.length) return `: ${says}`
  const before = text.slice(0, at)
  const line = before.split('\n').length
  return ` at character ${at - before.lastIndexOf('\n')}${line === 1 ? '' : ` of line ${line}`}: ${says}`
}

class JsonScan {
  readonly #text: string
  readonly #patterns = { blanks: new RegExp(BLANKS), plain: new RegExp(PLAIN), escape: new RegExp(ESCAPE), scalar: new RegExp(SCALAR) }
  readonly #open: ('{' | '[')[] = []
  #wanted: WantedNext = 'value'
  /** The innermost object or list is still empty. */
  #first = false
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  run(): JsonFault | null {
    for (;;) {
      this.#skip('blanks')
      const char = this.#text.charAt(this.#at)
      if (this.#wanted === 'more' && this.#open.length === 0) return char === '' ? null : this.#fault('nothing may follow the JSON object')
      if (char === '') return this.#fault(this.#text.trim() === '' ? 'it is empty' : EARLY)
      const says = this.#step(char)
      if (says !== null) return this.#fault(says)
    }
  }

  #fault(says: string): JsonFault {
    return { at: this.#at, says }
  }

  /** Consumes one token, or returns its fault. */
  #step(char: string): string | null {
    const inside = this.#open.at(-1)
    const closing = inside === undefined ? null : inside === '{' ? '}' : ']'
    if (char === closing && (this.#wanted === 'more' || this.#first)) return this.#close()
    switch (this.#wanted) {
      case 'more':
        if (char !== ',') return char === '"' ? 'a comma is missing before it' : `expected a comma or ${closing ?? ''}${comment(char)}`
        return this.#past(inside === '{' ? 'name' : 'value')
      case 'colon':
        return char === ':' ? this.#past('value') : 'expected a colon after the name of a field'
      case 'name':
        if (char === '"') return this.#string('colon')
        if (char === closing) return 'remove the comma before it'
        return isQuote(char) ? QUOTES : `expected a name in double quotes${comment(char)}`
      case 'value':
        return this.#value(char, closing)
    }
  }

  #value(char: string, closing: string | null): string | null {
    if (char === '"') return this.#string('more')
    if (char === '{' || char === '[') {
      this.#open.push(char)
      this.#past(char === '{' ? 'name' : 'value')
      this.#first = true
      return null
    }
    if (char === ']' && char === closing) return 'remove the comma before it'
    if (!this.#skip('scalar')) return isQuote(char) ? QUOTES : valueWords(this.#text.slice(this.#at, this.#at + LONGEST_WORD))
    this.#first = false
    this.#wanted = 'more'
    return null
  }

  #close(): null {
    this.#open.pop()
    return this.#past('more')
  }

  #past(wanted: WantedNext): null {
    this.#at++
    this.#first = false
    this.#wanted = wanted
    return null
  }

  #string(wanted: WantedNext): string | null {
    this.#at++
    for (;;) {
      this.#skip('plain')
      const char = this.#text.charAt(this.#at)
      if (char === '"') return this.#past(wanted)
      if (char === '') return EARLY
      if (char !== '\\') return 'escape line breaks and control characters in a string with a backslash, such as \\n'
      if (!this.#skip('escape')) return 'write a backslash in a string twice'
    }
  }

  /** Consumes the match of a pattern; false when it is empty. */
  #skip(name: 'blanks' | 'plain' | 'escape' | 'scalar'): boolean {
    const pattern = this.#patterns[name]
    pattern.lastIndex = this.#at
    const [taken = ''] = pattern.exec(this.#text) ?? []
    this.#at += taken.length
    return taken !== ''
  }
}

/** Most characters examined of an invalid word. */
const LONGEST_WORD = 20

function isQuote(char: string): boolean {
  return /['‘’“”`]/.test(char)
}

function comment(char: string): string {
  return char === '/' || char === '#' ? ': JSON has no comments' : ''
}

function valueWords(text: string): string {
  const [word = ''] = /^[\w.+-]*/.exec(text) ?? []
  if (/^(?:None|NULL|Null|nil|undefined|NaN|-?Infinity)$/.test(word)) return 'write null for no value'
  if (/^(?:True|TRUE|False|FALSE)$/.test(word)) return 'write true or false in small letters'
  if (/^[-+.]?\d/.test(word)) return 'it is not a JSON number, such as 5 or 0.5'
  return word === '' ? `expected a value${comment(text.charAt(0))}` : 'a text needs double quotes'
}
