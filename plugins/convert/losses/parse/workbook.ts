import { Parser } from 'htmlparser2'
import { nothing, type Content } from './content.js'

const PICTURE = /<(?:\w+:)?pic[\s>]/g

/**
 * Content of an Office Open XML workbook (ECMA-376 18): texts of cells, and which sheets are not empty. Numbers are
 * displayed in many forms and are not counted as text.
 */
export function workbookOf(parts: ReadonlyMap<string, string>): Content {
  const content = nothing()
  const shared = sharedOf(parts.get('xl/sharedStrings.xml') ?? '')
  const targets = relationsOf(parts.get('xl/_rels/workbook.xml.rels') ?? '')
  for (const [at, { name, relation }] of sheetsOf(parts.get('xl/workbook.xml') ?? '').entries()) {
    const target = (targets.get(relation) ?? '').replace(/^\/?(?:xl\/)?/, 'xl/')
    const { texts, filled } = cellsOf(parts.get(target) ?? '', shared)
    if (filled && at > 0) content.sheets.push(name)
    content.blocks.push(...texts.map((text) => ({ kind: 'cells' as const, text })))
  }
  for (const [name, text] of parts)
    if (name.startsWith('xl/drawings/')) content.pictures = (content.pictures ?? 0) + (text.match(PICTURE)?.length ?? 0)
  return content
}

function sheetsOf(workbook: string): { readonly name: string; readonly relation: string }[] {
  const sheets: { name: string; relation: string }[] = []
  read(workbook, {
    open: (element, attributes) => {
      const relation = Object.entries(attributes).find(([key]) => /:id$/.test(key))?.[1]
      if (element === 'sheet' && relation !== undefined) sheets.push({ name: attributes['name'] ?? '', relation })
    },
  })
  return sheets
}

function relationsOf(text: string): Map<string, string> {
  const targets = new Map<string, string>()
  read(text, {
    open: (element, { Id, Target, Type = '' }) => {
      if (element === 'Relationship' && Id !== undefined && Type.endsWith('/worksheet')) targets.set(Id, Target ?? '')
    },
  })
  return targets
}

/** Shared strings by index, without Japanese readings (`rPh`). */
function sharedOf(text: string): string[] {
  const shared: string[] = []
  let [inside, reading] = [false, false]
  read(text, {
    open: (element) => {
      if (element === 'si') shared.push('')
      else if (element === 't') inside = true
      else if (element === 'rPh') reading = true
    },
    text: (piece) => {
      if (inside && !reading) shared[shared.length - 1] += piece
    },
    close: (element) => {
      if (element === 't') inside = false
      else if (element === 'rPh') reading = false
    },
  })
  return shared
}

function cellsOf(sheet: string, shared: readonly string[]): { readonly texts: string[]; readonly filled: boolean } {
  const texts: string[] = []
  let filled = false
  let kind = ''
  let value = ''
  let inside = false
  read(sheet, {
    open: (element, { t = 'n' }) => {
      if (element === 'c') [kind, value] = [t, '']
      else if (element === 'v' || element === 't') inside = true
    },
    text: (piece) => {
      if (inside) value += piece
    },
    close: (element) => {
      if (element === 'v' || element === 't') inside = false
      if (element !== 'c' || value.trim() === '') return
      filled = true
      if (kind === 's') texts.push(shared[Number(value)] ?? '')
      else if (kind === 'str' || kind === 'inlineStr') texts.push(value)
    },
  })
  return { texts, filled }
}

interface Handler {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly text?: (piece: string) => void
  readonly close?: (name: string) => void
}

function read(text: string, { open, text: add, close }: Handler): void {
  const local = (name: string): string => name.slice(name.indexOf(':') + 1)
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open?.(local(name), attributes),
      ontext: (piece) => add?.(piece),
      onclosetag: (name) => close?.(local(name)),
    },
    { xmlMode: true },
  )
  parser.end(text)
}
