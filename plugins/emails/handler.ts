export { emailsFindHandler } from './find/handler.js'
export { emailsVerifyHandler } from './verify/handler.js'
