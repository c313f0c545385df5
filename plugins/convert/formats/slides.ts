import type { Format } from './format.js'
import { compound, element, openDocument, zipped } from './shapes.js'

const POINT = 'application/vnd.openxmlformats-officedocument.presentationml'
const MACROS = 'application/vnd.ms-powerpoint'
const OPEN = 'application/vnd.oasis.opendocument'
const OLD = 'application/vnd.sun.xml.impress'
const SLIDES_97 = compound('PowerPoint Document')

export const SLIDES: readonly Format[] = [
  { id: 'pptx', title: 'PowerPoint slides', family: 'slides', mime: `${POINT}.presentation`, is: zipped('ppt/') },
  {
    id: 'pptm',
    title: 'PowerPoint slides with macros',
    family: 'slides',
    mime: `${MACROS}.presentation.macroenabled.12`,
    is: zipped('ppt/'),
  },
  { id: 'ppsx', title: 'PowerPoint show', family: 'slides', mime: `${POINT}.slideshow`, is: zipped('ppt/') },
  { id: 'potx', title: 'PowerPoint template', family: 'slides', mime: `${POINT}.template`, is: zipped('ppt/') },
  {
    id: 'potm',
    title: 'PowerPoint template with macros',
    family: 'slides',
    mime: `${MACROS}.template.macroenabled.12`,
    is: zipped('ppt/'),
  },
  { id: 'ppt', title: 'PowerPoint 97 slides', family: 'slides', mime: MACROS, is: SLIDES_97 },
  { id: 'pps', title: 'PowerPoint 97 show', family: 'slides', mime: MACROS, is: SLIDES_97 },
  { id: 'pot', title: 'PowerPoint 97 template', family: 'slides', mime: MACROS, is: SLIDES_97 },
  { id: 'odp', title: 'OpenDocument slides', family: 'slides', mime: `${OPEN}.presentation`, is: openDocument('presentation') },
  {
    id: 'otp',
    title: 'OpenDocument slides template',
    family: 'slides',
    mime: `${OPEN}.presentation-template`,
    is: openDocument('presentation'),
  },
  { id: 'fodp', title: 'Flat OpenDocument slides', family: 'slides', mime: `${OPEN}.presentation-flat-xml`, is: element('document') },
  { id: 'sxi', title: 'OpenOffice.org 1 slides', family: 'slides', mime: OLD, is: zipped('content.xml') },
  { id: 'uop', title: 'Uniform Office slides', family: 'slides', mime: 'application/xml', is: element('UOF') },
]
