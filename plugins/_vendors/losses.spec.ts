import { expect } from 'chai'
import { Fault } from '../../core/sdk/index.js'
import { FFMPEG_LOSSES } from './ffmpeg.js'
import { GHOSTSCRIPT_LOSSES } from './ghostscript.js'
import { noteLosses, type Loss } from './losses.js'
import { PANDOC_LOSSES } from './pandoc.js'
import { POPPLER_LOSSES } from './poppler.js'

/** Notes on a program's messages, or the Fault instead. */
function read(losses: readonly Loss[], said: string): string[] | Fault {
  const notes: string[] = []
  try {
    noteLosses({ note: (remark) => notes.push(remark) }, Buffer.from(said), losses)
  } catch (error) {
    if (Fault.is(error)) return error
    throw error
  }
  return notes
}

/** Notes as in the context of a call: a method that needs its object. */
class Notes {
  readonly #all: string[] = []
  note(remark: string): void {
    this.#all.push(remark)
  }
  get all(): readonly string[] {
    return this.#all
  }
}

describe('losses that programs name beside code 0', () => {
  it('are noted with the call itself', () => {
    const notes = new Notes()
    noteLosses(notes, Buffer.from("Syntax Error (52): Unknown filter 'Foo'\n"), POPPLER_LOSSES)
    expect(notes.all).to.have.length(1)
  })

  it('F5 pages without their letters are refused, with the package that is not installed', () => {
    for (const said of [
      "Syntax Error: Missing language pack for 'Adobe-Japan1' mapping\nSyntax Error (2531): No font in show\n",
      "Syntax Error: Couldn't find 'UniKS-UTF16-H' CMap file for 'Adobe-Korea1' collection\n",
      "Syntax Error: Unknown CMap 'GBK-EUC-H' for character collection 'Adobe-GB1'\n",
    ]) {
      const fault = read(POPPLER_LOSSES, said)
      expect(fault, said).to.include({ kind: 'missing', final: true })
      expect(String(fault)).to.contain('poppler-data')
    }
  })

  it('F5 what is left out of a result is a note, each kind once', () => {
    for (const [losses, said, note] of [
      [POPPLER_LOSSES, 'Syntax Error (9): No font in show\nSyntax Error (12): No font in show\n', 'Some text of the PDF was left out'],
      [POPPLER_LOSSES, "Syntax Error (52): Unknown filter 'Foo'\n", 'Some pictures of the PDF were left out'],
      [
        FFMPEG_LOSSES,
        '[srt @ 0x5] Invalid UTF-8 in decoded subtitles text; maybe missing -sub_charenc option\n',
        'Some subtitles were left out',
      ],
      [FFMPEG_LOSSES, 'Error while decoding stream #0:0: Invalid data found when processing input\n', 'Parts of the file are damaged'],
      [FFMPEG_LOSSES, '[mov @ 0x1] stream 0, offset 0x1a2b: partial file\n', 'The file is truncated'],
      [PANDOC_LOSSES, "[WARNING] Could not convert TeX math '\\foo', rendering as TeX\n", 'Formulas that could not be converted'],
      [
        PANDOC_LOSSES,
        "[WARNING] Could not fetch resource 'a.png': replacing image with description\n",
        'Parts that the file only refers to',
      ],
      [PANDOC_LOSSES, '[WARNING] Citeproc: citation doe99 not found\n', 'Citations without an entry'],
      [GHOSTSCRIPT_LOSSES, '   **** Error reading a content stream. The page may be incomplete.\n', 'The file has errors'],
      [GHOSTSCRIPT_LOSSES, 'Can\'t find CID font "Ryumin-Light".\n', 'Some text may be missing'],
    ] as const) {
      const notes = read(losses, said)
      expect(notes, said).to.have.length(1)
      expect(String(notes)).to.contain(note)
    }
  })

  it('F5 other words are no loss', () => {
    for (const losses of [POPPLER_LOSSES, FFMPEG_LOSSES, PANDOC_LOSSES, GHOSTSCRIPT_LOSSES])
      expect(
        read(losses, 'Syntax Warning: Invalid Font Weight\n[WARNING] This document format requires a nonempty <title> element.\n'),
      ).to.eql([])
  })
})
