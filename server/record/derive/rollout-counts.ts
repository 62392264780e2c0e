/**
 * Rows of rollouts that count, by told_id: a forked or spawned session may begin with the rows of its parent. `certain` is FALSE
 * where that could not be told (the parent is not there). Rests on llm_requests_told and sessions_told.
 */
export const ROLLOUT_COUNTS = `
 SELECT told_id, TRUE AS certain FROM llm_requests_told WHERE channel = 'rollout'`;
