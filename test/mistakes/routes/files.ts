import { operation, query, refused, type Sent } from './attempt.js'

const BOUNDARY = 'form-of-the-test'
const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
const part = (disposition: string, content: string): string => `--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n\r\n${content}\r\n`
const END = `--${BOUNDARY}--\r\n`
const form = (...parts: string[]): Sent => ({ headers: FORM, body: parts.join('') + END })
const FILE = 'form-data; name="file"; filename="notes.txt"'
const CURL = 'curl -F file=@report.pdf'

/** Files in and out. */
export const fileMistakes = [
  ...operation(
    'POST /v1/files',
    refused(415, { body: { file: 'SGVsbG8=' } }, 'multipart/form-data', '"file"', CURL),
    refused(415, { body: { url: 'https://example.com/a.pdf' } }, 'multipart/form-data', CURL),
    refused(415, { body: '%PDF-1.7', headers: { 'content-type': 'application/pdf' } }, 'multipart/form-data', 'application/pdf', CURL),
    refused(415, { body: 'file=%40report.pdf', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, CURL),
    refused(415, {}, 'multipart/form-data', CURL),
    refused(400, { body: part(FILE, 'x'), headers: { 'content-type': 'multipart/form-data' } }, 'boundary', CURL),
    refused(422, form(part('form-data; name="upload"; filename="a.txt"', 'x')), 'upload', 'not known', '"file"'),
    refused(422, form(part('form-data; name="file"', '/home/me/report.pdf')), 'file', 'file name', '-F file=@report.pdf'),
    refused(422, form(part(FILE, 'x'), part(FILE, 'y')), 'file', 'one file'),
    refused(422, form(part(FILE, 'x'), part('form-data; name="purpose"', 'assistants')), 'purpose', 'not known'),
    refused(422, form(), 'file', 'required'),
    refused(400, { headers: FORM, body: part(FILE, 'x') }, CURL),
    refused(400, { headers: FORM, body: 'SGVsbG8=' }, CURL),
    refused(403, { ...form(part(FILE, 'x')), auth: 'Bearer {narrow}' }, 'files.upload'),
    refused(404, { path: '/v1/file' }, 'did you mean /v1/files?'),
    refused(404, { path: '/v1/upload' }, 'GET /v1/openapi.json'),
  ),
  ...operation(
    'GET /files/{id}/{name}',
    refused(404, { path: '/files/art_unknown/report.pdf' }, 'link', 'expires', 'signature'),
    refused(404, { path: '/files/art_unknown/report.pdf', query: 'expires=1700000000&signature=abc' }, 'link', 'expired'),
    refused(404, { path: '/files/report.pdf' }, 'GET /v1/openapi.json'),
    refused(404, { path: '/v1/files/art_unknown' }, 'did you mean'),
    refused(404, { path: '/files/a/b', query: 'expires=tomorrow&signature=abc', auth: null }, 'link', 'again'),
  ),
  ...operation(
    'GET /v1/files/formats',
    query('source=PDFX', 'source', 'PDFX', 'Did you mean pdf'),
    query('target=.docx2', 'target', 'docx'),
    query('from=pdf', 'from', 'not known', 'source'),
    query('source=application/pdf', 'source', 'pdf'),
    query('source=pdf&source=docx', 'source', 'more than once'),
    refused(404, { path: '/v1/files/format' }, 'did you mean /v1/files/formats?'),
    refused(404, { path: '/v1/formats' }, 'did you mean /v1/files/formats?'),
  ),
]
