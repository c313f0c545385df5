import type { Format } from './format.js'
import { compound, element, openDocument, zipped } from './shapes.js'

const OPEN_XML = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument'

/** Texts of word processors. */
export const DOCUMENTS: readonly Format[] = [
  { id: 'docx', title: 'Word document', family: 'document', mime: `${OPEN_XML}.document`, is: zipped('word/') },
  { id: 'doc', title: 'Word 97 document', family: 'document', mime: 'application/msword', is: compound('WordDocument') },
  { id: 'odt', title: 'OpenDocument text', family: 'document', mime: `${OPEN_DOCUMENT}.text`, is: openDocument('text') },
  { id: 'rtf', title: 'Rich Text Format', family: 'document', mime: 'application/rtf', is: { begins: ['{\\rtf'], ends: '}' } },
  { id: 'html', title: 'HTML page', family: 'markup', mime: 'text/html', aliases: ['htm'], is: { text: /<[a-z!?/]/i } },
  { id: 'txt', title: 'Plain text', family: 'markup', mime: 'text/plain', aliases: ['text'], is: { text: true } },
  { id: 'fodt', title: 'Flat OpenDocument text', family: 'document', mime: `${OPEN_DOCUMENT}.text-flat-xml`, is: element('document') },
]
