import { odf } from '../office-documents.js'
import { WORD, XML } from './seeds/word.js'

/** What macros do when they run: they replace the text, write a file and open a connection. */
interface Deeds {
  readonly text: string
  readonly file: string
  readonly url: string
}

/** Code that starts by itself: in Word, in Excel and in LibreOffice. */
export function macroCode({ text, file, url }: Deeds): { word: string; excel: string; basic: string } {
  const outside = [`Open "${file}" For Output As #1`, 'Print #1, "evil"', 'Close #1', `Shell "curl ${url}"`]
  const sub = (name: string, ...lines: readonly string[]): string =>
    `Sub ${name}()\n${[...lines, ...outside].map((line) => `  ${line}\n`).join('')}End Sub\n`
  const typed = `ActiveDocument.Range.Text = "${text}"`
  const cell = `Range("A1").Value = "${text}"`
  return {
    word: ['AutoOpen', 'Document_Open', 'AutoExec'].map((name) => sub(name, typed)).join(''),
    excel: ['Workbook_Open', 'Auto_Open'].map((name) => sub(name, cell)).join(''),
    basic: sub('ran', `ThisComponent.Text.String = "${text}"`),
  }
}

/** An OpenDocument text that runs `ran` when it is opened. */
export function basicDocument(code: string): Uint8Array {
  const escaped = code.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  const listener = `<script:event-listener script:language="ooo:script" script:event-name="dom:load" xlink:href="vnd.sun.star.script:Standard.Module1.ran?language=Basic&amp;location=document" xlink:type="simple"/>`
  return odf('odt', {
    body: `<text:p>${WORD}</text:p>`,
    scripts: `<office:scripts><office:script script:language="ooo:Basic"/><office:event-listeners>${listener}</office:event-listeners></office:scripts>`,
    files: {
      'Basic/script-lc.xml': `${XML}<library:libraries xmlns:library="http://openoffice.org/2000/library" xmlns:xlink="http://www.w3.org/1999/xlink"><library:library library:name="Standard" library:link="false"/></library:libraries>`,
      'Basic/Standard/script-lb.xml': `${XML}<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false" library:passwordprotected="false"><library:element library:name="Module1"/></library:library>`,
      'Basic/Standard/Module1.xml': `${XML}<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">${escaped}</script:module>`,
    },
  })
}
