import type { Group, Reading } from './types.js'

/*
 * Names of filters are those of LibreOffice
 * (https://help.libreoffice.org/latest/en-US/text/shared/guide/convertfilters.html). `npm run bench:formats`
 * converted each source and each target of this folder, not each pair; one that it does not cover fails a test
 * (`trips.spec.ts`). Not supported as sources: DocBook, of which it reads only version 4 (others become an empty
 * document), and FictionBook, whose tables it drops.
 */

const word = (filter: string): Reading => ({ filter, container: 'zip', holds: 'word/' })
const open = (filter: string): Reading => ({ filter, container: 'zip' })
const old = (filter: string): Reading => ({ filter, container: 'ole' })
const any = (filter: string): Reading => ({ filter, container: null })

export const TEXTS: Group = {
  sources: {
    docx: word('MS Word 2007 XML'),
    docm: word('MS Word 2007 XML VBA'),
    dotx: word('MS Word 2007 XML Template'),
    dotm: word('MS Word 2007 XML Template'),
    doc: old('MS Word 97'),
    dot: old('MS Word 97 Vorlage'),
    wordml: { ...any('MS Word 2003 XML'), extension: 'xml' },
    odt: open('writer8'),
    ott: open('writer8_template'),
    fodt: any('OpenDocument Text Flat XML'),
    sxw: open('StarOffice XML (Writer)'),
    stw: open('writer_StarOffice_XML_Writer_Template'),
    uot: any('UOF text'),
    rtf: { filter: 'Rich Text Format', container: 'rtf' },
    html: any('HTML (StarWriter)'),
    xhtml: any('HTML (StarWriter)'),
    txt: { filter: 'Text (encoded)', container: null, plain: 'text' },
    abw: any('AbiWord'),
    zabw: any('AbiWord'),
    602: any('T602Document'),
  },
  targets: {
    pdf: { filter: 'writer_pdf_Export' },
    docx: { filter: 'MS Word 2007 XML' },
    docm: { filter: 'MS Word 2007 XML VBA' },
    dotx: { filter: 'MS Word 2007 XML Template' },
    doc: { filter: 'MS Word 97' },
    dot: { filter: 'MS Word 97 Vorlage' },
    wordml: { filter: 'MS Word 2003 XML', extension: 'xml' },
    odt: { filter: 'writer8' },
    ott: { filter: 'writer8_template' },
    fodt: { filter: 'OpenDocument Text Flat XML' },
    uot: { filter: 'UOF text' },
    rtf: { filter: 'Rich Text Format' },
    html: { filter: 'HTML (StarWriter):EmbedImages' },
    xhtml: { filter: 'XHTML Writer File' },
    txt: { filter: 'Text (encoded):UTF8' },
    docbook: { filter: 'DocBook File', extension: 'xml' },
    epub: { filter: 'EPUB' },
  },
}

/** A PDF is read as text frames on pages. */
export const PDF_TEXTS: Group = {
  sources: { pdf: { filter: 'writer_pdf_import', container: 'pdf' } },
  targets: {
    odt: { filter: 'writer8', reading: 'writer_pdf_import' },
    docx: { filter: 'MS Word 2007 XML', reading: 'writer_pdf_import' },
    doc: { filter: 'MS Word 97', reading: 'writer_pdf_import' },
    rtf: { filter: 'Rich Text Format', reading: 'writer_pdf_import' },
    odp: { filter: 'impress8', reading: 'impress_pdf_import' },
    pptx: { filter: 'Impress MS PowerPoint 2007 XML', reading: 'impress_pdf_import' },
    odg: { filter: 'draw8', reading: 'draw_pdf_import' },
  },
}
