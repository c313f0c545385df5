import { body, operation, refused } from '../attempt.js'

/** Invoices. */
export const invoiceMistakes = operation(
  'POST /v1/invoices/parse',
  body({}, 'document_url', 'required'),
  body({ url: '{site}/invoice.pdf' }, 'url', 'document_url', 'required'),
  body({ file_url: '{site}/invoice.pdf' }, 'file_url', 'document_url'),
  body({ document_url: 'example.com/invoice.pdf' }, 'document_url', 'https://'),
  body({ document_url: 'invoice.pdf' }, 'document_url', 'https://', 'POST /v1/files'),
  body({ document_url: 'JVBERi0xLjcKJeLjz9MK' }, 'document_url', 'https://', 'POST /v1/files'),
  body({ document_url: 'data:application/pdf;base64,JVBERi0=' }, 'document_url', 'https://', 'POST /v1/files'),
  body({ document_url: ['{site}/a.pdf'] }, 'document_url', 'a text'),
  body({ document_url: '{site}/notes.txt' }, 'document_url', 'PDF'),
  body({ document_url: '{site}/page' }, 'document_url', 'PDF'),
  body({ document_url: '{site}/empty.pdf' }, 'document_url', 'empty'),
  body({ document_url: '{site}/broken.pdf' }, 'document_url', 'PDF'),
  body({ document_url: '{site}/a.pdf', language: 'de' }, 'language', 'not known'),
  refused(422, { body: { document_url: '{site}/gone' } }, '404'),
  refused(422, { body: { document_url: 'http://127.0.0.2/a.pdf' } }, 'private'),
)
