/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_UNIT_TRACER_SUITES_H
#define TESTS_UNIT_TRACER_SUITES_H

#include "tests/unit/checks.h"

Suite *calls_suite(void);
Suite *options_suite(void);
Suite *handles_suite(void);
Suite *model_suite(void);
Suite *processes_suite(void);
Suite *queries_suite(void);
Suite *session_suite(void);
Suite *wire_suite(void);
Suite *belief_suite(void);
Suite *found_mask_suite(void);
Suite *virtual_mask_suite(void);
Suite *virtual_mask_attach_suite(void);
Suite *system_calls_suite(void);
Suite *schedule_suite(void);
Suite *sampler_suite(void);
Suite *allocs_suite(void);
Suite *budget_suite(void);
Suite *shares_suite(void);
Suite *counted_suite(void);
Suite *selected_suite(void);
Suite *tampered_suite(void);
Suite *descriptors_suite(void);
Suite *sdt_suite(void);
Suite *scripts_suite(void);
Suite *plan_suite(void);
Suite *prototypes_suite(void);
Suite *growths_suite(void);
Suite *transactions_suite(void);
Suite *open_queries_suite(void);
Suite *request_frames_suite(void);
Suite *probe_spans_suite(void);
Suite *probe_memory_suite(void);
Suite *connecting_suite(void);
Suite *quiet_suite(void);
Suite *poll_traps_suite(void);
Suite *script_calls_suite(void);

#endif
