/** Where files are uploaded. */
export const UPLOAD_PATH = '/v1/files'
