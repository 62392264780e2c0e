/** Questions about several projects; each is understood as a comparison. */
export const QUESTIONS = {
  all: 'Compare the projects',
  attempts: 'Which project took more attempts?',
  slowest: 'Which project was the slowest?',
  accepted: 'Which project has more accepted features?',
} as const;
