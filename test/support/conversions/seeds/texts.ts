import { gzipSync } from 'node:zlib'
import { odf } from '../../office-documents.js'
import { writeZip } from '../../zip-writer.js'
import { u16le } from '../bytes.js'
import { excelFile, MAIN_TYPES, powerPointFile, wordFile } from './ooxml.js'
import { WORD, XML } from './word.js'

/** A file of OpenOffice.org 1: the body in the old namespaces. */
function old(kind: string, root: string, body: string): Uint8Array {
  const spaces = ['office', 'text', 'table', 'style', 'drawing'].map(
    (name) => `xmlns:${name === 'drawing' ? 'draw' : name}="http://openoffice.org/2000/${name}"`,
  )
  return writeZip({
    'content.xml': `${XML}<office:document-content ${spaces.join(' ')} xmlns:svg="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" office:class="${root}" office:version="1.0"><office:body>${body}</office:body></office:document-content>`,
    'META-INF/manifest.xml': `${XML}<manifest:manifest xmlns:manifest="http://openoffice.org/2001/manifest"><manifest:file-entry manifest:media-type="application/vnd.sun.xml.${kind}" manifest:full-path="/"/><manifest:file-entry manifest:media-type="text/xml" manifest:full-path="content.xml"/></manifest:manifest>`,
  })
}

const TEXT = `<text:p>${WORD}</text:p>`
const TABLE = `<table:table table:name="One"><table:table-row><table:table-cell table:value-type="string">${TEXT}</table:table-cell></table:table-row></table:table>`
const PAGE = `<draw:page draw:name="one"><draw:text-box svg:width="10cm" svg:height="3cm" svg:x="2cm" svg:y="2cm">${TEXT}</draw:text-box></draw:page>`
const FRAME = `<draw:frame svg:width="10cm" svg:height="3cm" svg:x="2cm" svg:y="2cm"><draw:text-box>${TEXT}</draw:text-box></draw:frame>`
const ABIWORD = `${XML}<abiword xmlns="http://www.abisource.com/awml.dtd" fileformat="1.1"><section><p>${WORD}</p></section></abiword>`
const GNUMERIC = `${XML}<gnm:Workbook xmlns:gnm="http://www.gnumeric.org/v10.dtd"><gnm:Sheets><gnm:Sheet><gnm:Name>One</gnm:Name><gnm:MaxCol>0</gnm:MaxCol><gnm:MaxRow>0</gnm:MaxRow><gnm:Cells><gnm:Cell Col="0" Row="0" ValueType="60">${WORD}</gnm:Cell></gnm:Cells></gnm:Sheet></gnm:Sheets></gnm:Workbook>`

/** Lotus 1-2-3 release 2: beginning, a label, end. */
function lotus(): Buffer {
  const record = (kind: number, data: Uint8Array): Buffer => Buffer.concat([u16le(kind, data.length), data])
  const label = Buffer.from(`\xff\0\0\0\0'${WORD}\0`, 'latin1')
  return Buffer.concat([record(0, u16le(0x0406)), record(0x0f, label), record(1, Buffer.alloc(0))])
}

/** Texts of word processors. */
export const TEXTS: Readonly<Record<string, string | Uint8Array>> = {
  docx: wordFile(MAIN_TYPES.docx),
  dotm: wordFile(MAIN_TYPES.dotm),
  txt: `${WORD} and words of a text\n`,
  html: `<!DOCTYPE html><html><head><meta charset="utf-8"><title>x</title></head><body><p>${WORD}</p></body></html>`,
  sxw: old('writer', 'text', TEXT),
  stw: old('writer.template', 'text', TEXT),
  abw: ABIWORD,
  zabw: gzipSync(ABIWORD),
  602: `@CT 0\n@LM 1\n@RM 65\n@PL 60\n${WORD}\n`,
  fb2: `${XML}<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><description><title-info><book-title>x</book-title></title-info></description><body><section><p>${WORD}</p></section></body></FictionBook>`,
}

export const SHEETS: Readonly<Record<string, string | Uint8Array>> = {
  csv: `Name,Zahl\n${WORD},2\n`,
  xlsx: excelFile(MAIN_TYPES.xlsx),
  xltm: excelFile(MAIN_TYPES.xltm),
  sxc: old('calc', 'spreadsheet', TABLE),
  stc: old('calc.template', 'spreadsheet', TABLE),
  gnumeric: gzipSync(GNUMERIC),
  wk1: lotus(),
}

export const SLIDES: Readonly<Record<string, string | Uint8Array>> = {
  odp: odf('odp', { body: `<draw:page draw:name="one">${FRAME}</draw:page>` }),
  pptx: powerPointFile(MAIN_TYPES.pptx),
  potm: powerPointFile(MAIN_TYPES.potm),
  sxi: old('impress', 'presentation', PAGE),
}

/** A drawing of OpenOffice.org 1. */
export const OLD_DRAWING = old('draw', 'drawing', PAGE)
