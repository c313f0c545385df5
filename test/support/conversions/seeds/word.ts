/** A word of every seed of text, which every conversion of text must keep. */
export const WORD = 'Sequoia'

export const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
