-- MySQL dump 10.19  Distrib 10.3.39-MariaDB
/*!40103 SET TIME_ZONE='+00:00' */;
DROP TABLE IF EXISTS `radcheck`;
CREATE TABLE `radcheck` (
  `id` int(11) unsigned NOT NULL AUTO_INCREMENT,
  `username` varchar(64) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB;
INSERT INTO `radcheck` VALUES (1,'alice'),(2,'bob');
CREATE TABLE `radacct` (
  `radacctid` bigint(21) NOT NULL AUTO_INCREMENT,
  `acctsessionid` varchar(64) NOT NULL DEFAULT '',
  `username` varchar(64) NOT NULL DEFAULT '',
  `nasipaddress` varchar(15) NOT NULL DEFAULT '',
  `acctstarttime` datetime DEFAULT NULL,
  `acctstoptime` datetime DEFAULT NULL,
  PRIMARY KEY (`radacctid`),
  UNIQUE KEY `acctsessionid` (`acctsessionid`)
) ENGINE=InnoDB;
INSERT INTO `radacct` VALUES (1,'12','alice','10.0.0.1','2026-11-30 08:27:47','2026-11-30 17:00:00'),(2,'13','o\'hara, (x)','10.0.0.1','2026-11-30 08:27:45',NULL),(3,'14','carol','10.0.0.1',NULL,NULL),(4,'15','d''arc','10.0.0.1','0000-00-00 00:00:00',NULL);
INSERT INTO `radacct` (`acctstarttime`, `username`) VALUES
('2026-11-30 08:30:00', 'alice'),
('2026-11-30 08:30:01', 'erin'),
('2026-11-30 08:3
