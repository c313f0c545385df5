const LISTS = [
  // Function words.
  'a an the of in on at to from for by into onto off out up down through under above below around across between inside outside and or with its it this that some any each every only just being is are be was has have i me my we you your like as than so there here',
  // Words for the sound itself.
  'sound sounds effect effects sfx fx foley ambience ambient ambiance atmosphere atmospheric soundscape audio recording clip short long brief loop loops looped looping loopable seamless seamlessly make generate create give please want need realistic natural cinematic high quality hd stereo mono background foreground clean clear crisp pure simple basic plain field one-shot second seconds minute duration continuous constant steady endless sleep sleeping relaxation focus study meditation film game video movie scene',
  // Places and times, which are not audible by themselves.
  'night day morning evening summer winter spring autumn forest woods jungle field hill hills mountain mountains valley beach coast lake garden park street city town village road house home room kitchen bedroom office school shop station airport country countryside desert island sky ground floor roof wall door window leaves trees tree grass rocks stone',
  // Adjectives of state.
  'getting becoming away ominous old new young dark bright warm cold cozy cosy scary creepy eerie spooky mysterious dramatic beautiful nice good lonely single dry wet clear sudden slowly someone somebody person something',
]
const NEUTRAL: ReadonlySet<string> = new Set(LISTS.flatMap((list) => list.split(' ')))

/** Whether a word is not audible by itself. */
export function isNeutral(word: string): boolean {
  return NEUTRAL.has(word) || /^\d+(?:\.\d+)?s?$/.test(word)
}
