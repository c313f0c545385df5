import { gzipSync } from 'node:zlib'
import { u16be } from '../bytes.js'
import { visioFile } from './ooxml.js'
import { OLD_DRAWING } from './texts.js'
import { WORD, XML } from './word.js'

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><rect width="120" height="80" fill="#cde"/><circle cx="60" cy="40" r="30" fill="#c33"/><text x="10" y="20">${WORD}</text></svg>`
const VISIO = `${XML}<VisioDocument xmlns="http://schemas.microsoft.com/visio/2003/core"><Pages><Page ID="0" NameU="Page-1"><PageSheet><PageProps><PageWidth>8</PageWidth><PageHeight>6</PageHeight></PageProps></PageSheet><Shapes><Shape ID="1" Type="Shape"><XForm><PinX>3</PinX><PinY>3</PinY><Width>2</Width><Height>1</Height><LocPinX>1</LocPinX><LocPinY>0.5</LocPinY></XForm><Geom IX="0"><MoveTo IX="1"><X>0</X><Y>0</Y></MoveTo><LineTo IX="2"><X>2</X><Y>1</Y></LineTo></Geom></Shape></Shapes></Page></Pages></VisioDocument>`
/** A section with one line: pairs of a group code and its value. */
const DXF = '0 SECTION 2 ENTITIES 0 LINE 8 0 10 0 20 0 11 100 21 50 0 ENDSEC 0 EOF '.replaceAll(' ', '\n')

/** QuickDraw, version 2: 512 bytes for a program, size, frame, version, header, and a painted rectangle (Imaging With QuickDraw, A). */
function pict(): Buffer {
  const header = Buffer.concat([u16be(0x0c00, 0xfffe, 0, 72, 0, 72, 0, 0, 0, 80, 120, 0, 0)])
  const body = Buffer.concat([
    ...[u16be(0, 0, 80, 120), u16be(0x0011, 0x02ff), header],
    ...[u16be(0x001a, 0xcccc, 0x3333, 0x3333), u16be(0x0031, 10, 10, 60, 100), u16be(0x00ff)],
  ])
  return Buffer.concat([Buffer.alloc(512), u16be(body.length + 2), body])
}

/** Drawings of pages. */
export const DRAWINGS: Readonly<Record<string, string | Uint8Array>> = { sxd: OLD_DRAWING, vdx: VISIO, vsdx: visioFile() }

/** Drawings that are one picture. */
export const GRAPHICS: Readonly<Record<string, string | Uint8Array>> = { svg: SVG, svgz: gzipSync(SVG), dxf: DXF, pict: pict() }
