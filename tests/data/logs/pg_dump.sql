--
-- PostgreSQL database dump
--
COPY public.radcheck (id, username) FROM stdin;
1	alice
\.

COPY public.radacct (radacctid, acctsessionid, username, acctstarttime, acctstoptime) FROM stdin;
1	12	alice	2026-11-30 08:27:47+01	\N
2	13	bob	2026-11-30 08:27:47.5+01	\N
3	14	bob	\N	\N
4	15	\N	2026-11-30 08:28:00+01	\N
\.

