import type { Format } from './format.js'
import { element, openDocument, zipped } from './shapes.js'

const OPEN = 'application/vnd.oasis.opendocument'
const OLD = 'application/vnd.sun.xml.draw'
/** A metafile with the EMF signature at its offset, or the header of a placeable or plain WMF (MS-EMF 2.3.4.2, MS-WMF 2.3.2). */
const EMF = { begins: [{ at: 40, bytes: ' EMF' }] }
const WMF = { begins: ['\xd7\xcd\xc6\x9a', '\x01\0\x09\0', '\x02\0\x09\0'] }
const GZIP = { begins: ['\x1f\x8b'] }

/** Vector graphics. */
export const DRAWINGS: readonly Format[] = [
  { id: 'odg', title: 'OpenDocument drawing', family: 'drawing', mime: `${OPEN}.graphics`, is: openDocument('graphics') },
  {
    id: 'otg',
    title: 'OpenDocument drawing template',
    family: 'drawing',
    mime: `${OPEN}.graphics-template`,
    is: openDocument('graphics'),
  },
  { id: 'fodg', title: 'Flat OpenDocument drawing', family: 'drawing', mime: `${OPEN}.graphics-flat-xml`, is: element('document') },
  { id: 'sxd', title: 'OpenOffice.org 1 drawing', family: 'drawing', mime: OLD, is: zipped('content.xml') },
  { id: 'vdx', title: 'Visio 2003 XML drawing', family: 'drawing', mime: 'application/vnd.visio', is: element('VisioDocument') },
  { id: 'vsdx', title: 'Visio drawing', family: 'drawing', mime: 'application/vnd.ms-visio.drawing.main+xml', is: zipped('visio/') },
  { id: 'svg', title: 'SVG drawing', family: 'drawing', mime: 'image/svg+xml', is: element('svg') },
  { id: 'svgz', title: 'SVG drawing, compressed', family: 'drawing', mime: 'image/svg+xml', is: GZIP },
  { id: 'emf', title: 'Enhanced Metafile', family: 'drawing', mime: 'image/emf', is: EMF },
  { id: 'emz', title: 'Enhanced Metafile, compressed', family: 'drawing', mime: 'image/emf', is: GZIP },
  { id: 'wmf', title: 'Windows Metafile', family: 'drawing', mime: 'image/wmf', is: WMF },
  { id: 'wmz', title: 'Windows Metafile, compressed', family: 'drawing', mime: 'image/wmf', is: GZIP },
  { id: 'dxf', title: 'AutoCAD drawing exchange', family: 'drawing', mime: 'image/vnd.dxf', is: { text: /^\s*(?:0\s+SECTION|999\s)/ } },
]
