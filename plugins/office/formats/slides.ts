import type { Group, Reading } from './types.js'

const point = (filter: string): Reading => ({ filter, container: 'zip', holds: 'ppt/' })
const open = (filter: string): Reading => ({ filter, container: 'zip' })
const old = (filter: string): Reading => ({ filter, container: 'ole' })
const any = (filter: string): Reading => ({ filter, container: null })

export const SLIDES: Group = {
  sources: {
    pptx: point('Impress MS PowerPoint 2007 XML'),
    pptm: point('Impress MS PowerPoint 2007 XML VBA'),
    ppsx: point('Impress MS PowerPoint 2007 XML AutoPlay'),
    potx: point('Impress MS PowerPoint 2007 XML Template'),
    potm: point('Impress MS PowerPoint 2007 XML Template'),
    ppt: old('MS PowerPoint 97'),
    pps: old('MS PowerPoint 97 AutoPlay'),
    pot: old('MS PowerPoint 97 Vorlage'),
    odp: open('impress8'),
    otp: open('impress8_template'),
    fodp: any('OpenDocument Presentation Flat XML'),
    sxi: open('StarOffice XML (Impress)'),
    uop: any('UOF presentation'),
  },
  targets: {
    pdf: { filter: 'impress_pdf_Export' },
    pptx: { filter: 'Impress MS PowerPoint 2007 XML' },
    pptm: { filter: 'Impress MS PowerPoint 2007 XML VBA' },
    ppsx: { filter: 'Impress MS PowerPoint 2007 XML AutoPlay' },
    potx: { filter: 'Impress MS PowerPoint 2007 XML Template' },
    ppt: { filter: 'MS PowerPoint 97' },
    pps: { filter: 'MS PowerPoint 97 AutoPlay' },
    pot: { filter: 'MS PowerPoint 97 Vorlage' },
    odp: { filter: 'impress8' },
    otp: { filter: 'impress8_template' },
    fodp: { filter: 'OpenDocument Presentation Flat XML' },
    uop: { filter: 'UOF presentation' },
    xhtml: { filter: 'XHTML Impress File' },
  },
}
