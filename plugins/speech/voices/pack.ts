/** The voice of the pack `voice`. */
export const PACK_VOICE = { name: 'en_US-joe-medium', title: 'Joe, English (America)', language: 'en' } as const
