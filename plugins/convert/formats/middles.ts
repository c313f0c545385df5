import type { Family } from './format.js'

/**
 * Intermediate formats for a pair that no engine has: formats that preserve the content of the family, best first.
 * None of them loses what the target could have kept: no JPEG, MP3 or plain text.
 */
export const MIDDLES: Readonly<Record<Family, readonly string[]>> = {
  document: ['odt', 'docx', 'html', 'epub', 'pdf'],
  page: ['pdf', 'png', 'html'],
  markup: ['docx', 'odt', 'html', 'epub', 'pdf'],
  sheet: ['xlsx', 'ods', 'csv', 'html', 'pdf'],
  slides: ['odp', 'pptx', 'pdf'],
  drawing: ['odg', 'svg', 'pdf', 'png'],
  picture: ['png', 'tiff', 'svg', 'pdf'],
  ebook: ['epub', 'html', 'docx', 'odt', 'pdf'],
  audio: ['wav', 'flac'],
  video: ['mkv', 'mp4', 'wav'],
  subtitle: ['ass', 'srt'],
  archive: ['tar', 'zip'],
  data: ['csv', 'html'],
}
