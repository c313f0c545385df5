import type { Format } from './format.js'
import { compound, element, openDocument, zipped } from './shapes.js'

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
const MACROS = 'application/vnd.ms-word'
const OPEN = 'application/vnd.oasis.opendocument'
const OLD = 'application/vnd.sun.xml.writer'
/** Without the group's last closing brace, which some programs follow with zeros. */
const RTF = { begins: ['{\\rtf'], ends: '}' }

/** Word processor documents. */
export const DOCUMENTS: readonly Format[] = [
  { id: 'docx', title: 'Word document', family: 'document', mime: `${WORD}.document`, is: zipped('word/') },
  { id: 'docm', title: 'Word document with macros', family: 'document', mime: `${MACROS}.document.macroenabled.12`, is: zipped('word/') },
  { id: 'dotx', title: 'Word template', family: 'document', mime: `${WORD}.template`, is: zipped('word/') },
  { id: 'dotm', title: 'Word template with macros', family: 'document', mime: `${MACROS}.template.macroenabled.12`, is: zipped('word/') },
  { id: 'doc', title: 'Word 97 document', family: 'document', mime: 'application/msword', is: compound('WordDocument') },
  { id: 'dot', title: 'Word 97 template', family: 'document', mime: 'application/msword', is: compound('WordDocument') },
  { id: 'wordml', title: 'Word 2003 XML', family: 'document', mime: 'application/xml', extension: 'xml', is: element('wordDocument') },
  { id: 'odt', title: 'OpenDocument text', family: 'document', mime: `${OPEN}.text`, is: openDocument('text') },
  { id: 'ott', title: 'OpenDocument text template', family: 'document', mime: `${OPEN}.text-template`, is: openDocument('text') },
  { id: 'fodt', title: 'Flat OpenDocument text', family: 'document', mime: `${OPEN}.text-flat-xml`, is: element('document') },
  { id: 'sxw', title: 'OpenOffice.org 1 text', family: 'document', mime: OLD, is: zipped('content.xml') },
  { id: 'stw', title: 'OpenOffice.org 1 text template', family: 'document', mime: `${OLD}.template`, is: zipped('content.xml') },
  { id: 'uot', title: 'Uniform Office text', family: 'document', mime: 'application/xml', is: element('UOF') },
  { id: 'rtf', title: 'Rich Text Format', family: 'document', mime: 'application/rtf', is: RTF },
  {
    id: 'abw',
    title: 'AbiWord document',
    family: 'document',
    mime: 'application/x-abiword',
    aliases: ['awt'],
    is: element('(?:abiword|awml)'),
  },
  { id: 'zabw', title: 'AbiWord document, compressed', family: 'document', mime: 'application/x-abiword', is: { begins: ['\x1f\x8b'] } },
  { id: 'wpd', title: 'WordPerfect document', family: 'document', mime: 'application/vnd.wordperfect', is: { begins: ['\xffWPC'] } },
  {
    id: '602',
    title: 'Text602 document',
    family: 'document',
    mime: 'application/x-t602',
    aliases: ['t602'],
    is: { begins: ['@CT', '@DK'] },
  },
  { id: 'html', title: 'HTML page', family: 'markup', mime: 'text/html', aliases: ['htm'], is: { text: /<[a-z!?/]/i } },
  { id: 'xhtml', title: 'XHTML page', family: 'markup', mime: 'application/xhtml+xml', aliases: ['xht'], is: element('html') },
  { id: 'txt', title: 'Plain text', family: 'markup', mime: 'text/plain', aliases: ['text'], is: { text: true } },
]
